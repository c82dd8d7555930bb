"""``codeblue`` alone: what to do next."""

import click

from codeblue.cli.language import say


def welcome() -> None:
    """Print the first command, or what follows from the last check."""
    from codeblue.cli.site import load
    from codeblue.pipeline import judge
    from codeblue.sources.recording import readable
    from codeblue.state import last

    content = last("local")
    snapshot = readable(content) if content else None
    if snapshot is None:
        click.echo(say("Start with this machine:\n  codeblue check", "先检查本机：\n  codeblue check"))
        return
    diagnosis = judge(snapshot, load(None).site.waive)
    if diagnosis.causes:
        fault = diagnosis.causes[0].finding
        click.echo(
            say(
                f"The last check ({diagnosis.time}) found {fault.fault}. Read its page, repair, check again:",
                f"上次检查（{diagnosis.time}）发现 {fault.fault}。先看说明，修复后再检查：",
            )
        )
        click.echo(f"  codeblue explain {fault.fault}\n  codeblue check")
        return
    click.echo(
        say(
            f"The last check ({diagnosis.time}) found no trouble. If a job fails, give its log:",
            f"上次检查（{diagnosis.time}）没有发现故障。如果任务失败，请给出日志：",
        )
    )
    click.echo("  codeblue check --log LOGFILE")
