/** How a piece of a chat message is shown. */
export type Mark = "bold" | "italic" | "underline" | "strike" | "mono";

export interface ChatPiece {
	readonly text: string;
	readonly marks: readonly Mark[];
}

interface Sign {
	readonly sign: string;
	readonly mark: Mark;
}

/** Longer signs come first, because `**` is not the same as `*` twice. */
const signs: Readonly<Record<"whatsapp" | "discord", readonly Sign[]>> = {
	whatsapp: [
		{ sign: "*", mark: "bold" },
		{ sign: "_", mark: "italic" },
		{ sign: "~", mark: "strike" },
		{ sign: "`", mark: "mono" },
	],
	discord: [
		{ sign: "**", mark: "bold" },
		{ sign: "__", mark: "underline" },
		{ sign: "~~", mark: "strike" },
		{ sign: "*", mark: "italic" },
		{ sign: "_", mark: "italic" },
		{ sign: "`", mark: "mono" },
	],
};

/**
 * Splits a chat message into pieces, as its app shows them: pairs of signs within a line, and code fences, become formatting. Everything
 * else, including links, stays text.
 */
export function chatPieces(text: string, channel: "whatsapp" | "discord"): readonly ChatPiece[] {
	return text.split("```").flatMap((block, index, all) => {
		// A fence without an end is shown as text.
		if (index % 2 === 1 && index < all.length - 1) return [{ text: block.replace(/^\n/, ""), marks: ["mono"] as const }];
		const shown = index % 2 === 1 ? `\`\`\`${block}` : block;
		return shown
			.split(/(\n)/)
			.flatMap((line) => (line === "\n" ? [{ text: line, marks: [] }] : inLine(line, signs[channel], [])))
			.filter((piece) => piece.text !== "");
	});
}

/** Takes linear time: once a sign is known to have no end, its end is not searched for again, and a mark is never opened inside itself. */
function inLine(line: string, known: readonly Sign[], marks: readonly Mark[]): readonly ChatPiece[] {
	const pieces: ChatPiece[] = [];
	const endless = new Set<string>();
	let plain = 0;
	for (let at = 0; at < line.length; at += 1) {
		const found = known.find(({ sign, mark }) => !marks.includes(mark) && !endless.has(sign) && opens(line, at, sign));
		if (found === undefined) continue;
		const { sign, mark } = found;
		const end = endOf(line, at + sign.length, sign);
		if (end === -1) {
			endless.add(sign);
			continue;
		}
		if (at > plain) pieces.push({ text: line.slice(plain, at), marks });
		const inner = line.slice(at + sign.length, end);
		// Signs within code have no meaning.
		pieces.push(...(mark === "mono" ? [{ text: inner, marks: [...marks, mark] }] : inLine(inner, known, [...marks, mark])));
		plain = end + sign.length;
		at = plain - 1;
	}
	if (plain < line.length) pieces.push({ text: line.slice(plain), marks });
	return pieces;
}

const WORD = /[\p{L}\p{N}]/u;

function opens(line: string, at: number, sign: string): boolean {
	const next = line[at + sign.length];
	return line.startsWith(sign, at) && next !== undefined && next !== " " && next !== sign[0] && !WORD.test(line[at - 1] ?? "");
}

function endOf(line: string, from: number, sign: string): number {
	for (let end = line.indexOf(sign, from + 1); end !== -1; end = line.indexOf(sign, end + 1))
		if (line[end - 1] !== " " && !WORD.test(line[end + sign.length] ?? "")) return end;
	return -1;
}
