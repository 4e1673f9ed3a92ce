import { Fragment } from "react";

/** Words with what stands between backticks as code. Everything stays text. */
export function InlineCode({ text }: { readonly text: string }) {
	return text.split(/`([^`]+)`/).map((piece, index) =>
		index % 2 === 1 ? (
			// biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no ids and keep their places
			<code key={index}>{piece}</code>
		) : (
			// biome-ignore lint/suspicious/noArrayIndexKey: as above
			<Fragment key={index}>{piece}</Fragment>
		),
	);
}
