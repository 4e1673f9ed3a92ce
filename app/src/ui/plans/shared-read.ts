/**
 * Makes one call for all parts of a page that ask at the same moment, as they do when the page opens and after each pause of equal length.
 * The call begins only after the last of them has asked, so that each part gets current data, even a part that asks because it has just
 * changed that data.
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
