/** Reads a list page by page. The next page is requested only after the caller has used the current one. */
export async function* pagesOf<Page extends { readonly nextCursor?: string | undefined }>(
	read: (after: { readonly cursor?: string }) => Promise<Page>,
): AsyncGenerator<Page, void> {
	for (let after: { readonly cursor?: string } | undefined = {}; after !== undefined; ) {
		const page: Page = await read(after);
		yield page;
		after = page.nextCursor === undefined ? undefined : { cursor: page.nextCursor };
	}
}
