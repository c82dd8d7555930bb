"""What set-up scripts get wrong: device nodes, boot loader, engine, driver packages."""
