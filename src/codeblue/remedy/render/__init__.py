"""A plan as text for people who change their machines with tools of their own."""

from importlib import import_module

from codeblue.model.plan import Plan

FORMS = ("sh", "ansible", "kubectl-patch", "dockerfile")


def rendered(plan: Plan, form: str, lang: str) -> str:
    """Return the plan in one of the forms; comments and messages are in ``lang``."""
    text: str = import_module(f"{__name__}.{form.replace('-', '_')}").render(plan, lang)
    return text
