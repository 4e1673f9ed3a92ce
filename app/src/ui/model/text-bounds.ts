/** Longer text is shown as it is: reading it as markdown would make the page stand still. */
export const MARKDOWN_CHARACTERS = 100_000;
