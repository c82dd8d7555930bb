"""Speed and memory as ratios against something real in the same run; see README.md."""
