/**
 * Makes one call for all parts of a page that ask at the same moment, as they do when the page opens and each time the same pause has
 * passed. The call begins only after the last of them has asked, so that each gets what is current: a part may ask because it has just
 * changed it.
 */
export function shared<T>(ask: () => Promise<T>): () => Promise<T> {
	let next: Promise<T> | undefined;
	return () => {
		next ??= new Promise<void>((begin) => setTimeout(begin, 0)).then(() => {
			next = undefined;
			return ask();
		});
		return next;
	};
}
