/** English text for information that may be out of date. `fill` replaces values in braces. */
export const asOfWords = {
	only: "As of {time}.",
	noApp: "As of {time}. The app isn’t responding.",
} as const;
