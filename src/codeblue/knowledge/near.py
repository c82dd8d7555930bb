"""Whether two names differ by a slip of the hand."""


def one_apart(one: str, other: str) -> bool:
    """Tell whether one letter has to be changed, added, taken out or swapped with the next."""
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1:
        return False
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    if len(one) < len(other):
        return one[at:] == other[at + 1 :]
    swapped = one[at : at + 2] == other[at : at + 2][::-1] and one[at + 2 :] == other[at + 2 :]
    # A digit that differs makes another name, not a slip.
    changed = one[at + 1 :] == other[at + 1 :] and not (one[at : at + 1] + other[at : at + 1]).isdigit()
    return swapped or changed
