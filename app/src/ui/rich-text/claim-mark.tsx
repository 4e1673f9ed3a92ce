import type { ReactNode } from "react";
import { groundingWords } from "../../strings/calls/call-words.ts";
import { cutAt, type TextRange } from "../text/marked-text.ts";
import { visibleProse } from "../text/visible-text.ts";

/** A sentence that no receipt backs. `isFirst`: true for the piece that tells screen readers so, once for each sentence. */
export function ClaimMark({ isFirst, children }: { readonly isFirst: boolean; readonly children: ReactNode }) {
	return (
		<mark className="claim">
			{isFirst && <span className="vh">{groundingWords.spoken} </span>}
			{children}
		</mark>
	);
}

/** Plain text in which some ranges are marked. */
export function MarkedProse({ text, marks }: { readonly text: string; readonly marks: readonly TextRange[] | undefined }) {
	if (marks === undefined || marks.length === 0) return visibleProse(text);
	return cutAt(text, marks).map(({ text: piece, of, isFirst }, index) =>
		of === undefined ? (
			visibleProse(piece)
		) : (
			// biome-ignore lint/suspicious/noArrayIndexKey: pieces are in the order of the text
			<ClaimMark key={index} isFirst={isFirst === true}>
				{visibleProse(piece)}
			</ClaimMark>
		),
	);
}
