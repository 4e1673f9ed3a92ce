/** The pages of a list that is read a part at a time, one after the other. No page is read before the one before it has been used. */
export async function* pagesOf<Page extends { readonly nextCursor?: string | undefined }>(
	read: (after: { readonly cursor?: string }) => Promise<Page>,
): AsyncGenerator<Page, void> {
	for (let after: { readonly cursor?: string } | undefined = {}; after !== undefined; ) {
		const page: Page = await read(after);
		yield page;
		after = page.nextCursor === undefined ? undefined : { cursor: page.nextCursor };
	}
}
