"""The pages: function views, fetch → form → action → render."""
