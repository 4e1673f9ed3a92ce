import { Fragment } from "react";

/** Text in which everything between backticks is shown as code. Nothing is interpreted as HTML. */
export function InlineCode({ text }: { readonly text: string }) {
	return text.split(/`([^`]+)`/).map((piece, index) =>
		index % 2 === 1 ? (
			// biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no ids and keep their positions
			<code key={index}>{piece}</code>
		) : (
			// biome-ignore lint/suspicious/noArrayIndexKey: as above
			<Fragment key={index}>{piece}</Fragment>
		),
	);
}
