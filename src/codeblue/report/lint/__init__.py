"""What lint found, in the forms that people and programs read; one module a form, imported when asked for."""
