/** The anchors that the headings of a Markdown document have on a forge: lower case, without punctuation, hyphens for spaces. */
export function headingAnchors(markdown: string): readonly string[] {
	return [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

function anchorOf(heading: string): string {
	return heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
		.replaceAll(" ", "-");
}
