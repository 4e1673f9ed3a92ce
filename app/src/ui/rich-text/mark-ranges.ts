import { cutAt, type TextRange } from "../text/marked-text.ts";

/** A node in the tree of a Markdown text, as far as marking needs it. */
interface MarkNode {
	readonly type: string;
	value?: string;
	children?: MarkNode[];
	data?: { hName?: string; hProperties?: Record<string, string> };
	readonly position?: { readonly start: { readonly offset?: number }; readonly end: { readonly offset?: number } };
}

const LEAVES: ReadonlySet<string> = new Set(["text", "inlineCode", "html", "image"]);

/**
 * A plugin for the Markdown parser that wraps ranges of the source in `mark`. Text that is shown exactly as it is in the source is marked
 * precisely; text that is written differently in the source is marked as a whole. At worst, the whole block of a range is marked.
 */
export function markRanges(ranges: readonly TextRange[]): () => (root: MarkNode) => void {
	return () => (root) => {
		const seen = new Set<TextRange>();
		markWithin(root, { start: 0, end: Number.POSITIVE_INFINITY }, ranges, seen);
		for (const range of ranges) if (!seen.has(range)) markBlock(root, range);
	};
}

function markWithin(node: MarkNode, around: TextRange, ranges: readonly TextRange[], seen: Set<TextRange>): void {
	if (node.children === undefined) return;
	node.children = node.children.flatMap((child) => {
		const place = placeOf(child) ?? around;
		if (!LEAVES.has(child.type)) {
			markWithin(child, place, ranges, seen);
			return [child];
		}
		const within = ranges.filter(({ start, end }) => start < place.end && end > place.start);
		if (within.length === 0) return [child];
		const { value } = child;
		if (child.type !== "text" || value === undefined || value.length !== place.end - place.start) return [marked([child], within, seen)];
		const pieces = cutAt(
			value,
			within.map(({ start, end }) => ({ start: start - place.start, end: end - place.start })),
		);
		return pieces.map(({ text, of }) => {
			const piece: MarkNode = { type: "text", value: text };
			const range = of === undefined ? undefined : within[of];
			return range === undefined ? piece : marked([piece], [range], seen);
		});
	});
}

function marked(children: MarkNode[], ranges: readonly TextRange[], seen: Set<TextRange>): MarkNode {
	const isFirst = ranges.some((range) => !seen.has(range));
	for (const range of ranges) seen.add(range);
	return { type: "emphasis", children, data: { hName: "mark", hProperties: isFirst ? { dataFirst: "true" } : {} } };
}

function placeOf({ position }: MarkNode): TextRange | undefined {
	const { start, end } = position ?? {};
	return start?.offset === undefined || end?.offset === undefined ? undefined : { start: start.offset, end: end.offset };
}

function markBlock(root: MarkNode, { start, end }: TextRange): void {
	for (const block of root.children ?? []) {
		const place = placeOf(block);
		if (place === undefined || (start < place.end && end > place.start)) {
			block.data = { ...block.data, hProperties: { ...block.data?.hProperties, className: "claim" } };
		}
	}
}
