import { BLOCK_CHARACTERS, beginsWithCode, countMarks, DEFINES, FENCE, isReadable, MARKS, splitBlocks } from "./markdown-blocks.ts";

/** A unit of rendering: code, a few blocks of Markdown, or plain text. */
export interface MarkdownChunk {
	readonly kind: "code" | "markdown" | "plain";
	readonly text: string;
}

/** Up to this number, each block is a separate chunk, so that little has to be parsed again while text streams in. */
const SINGLE_CHUNKS = 200;
const CHUNK_CHARACTERS = 8_000;
const CHUNK_LINES = 200;

/** The rendering cost of a line, and of a code block, in characters. */
const LINE_COST = 150;
const CODE_COST = 2_000;
/** The rendering cost that is allowed at once. */
const COST_AT_ONCE = 100_000;
/** Once the chunks so far cost more than this, further text stays plain. */
const MOST_COST = 5_000_000;

/** Splits a growing text into chunks. Text that was already split is not split again. */
export class MarkdownChunks {
	#text = "";
	/** Where the last block begins. Additional text can only change what comes after this position. */
	#from = 0;
	#settled: MarkdownChunk[] = [];
	#cost = 0;
	/** How many lines and how many slow markup characters the last settled chunk has. */
	#lines = 0;
	#marks = 0;
	#shown: readonly MarkdownChunk[] = [];

	read(text: string): readonly MarkdownChunk[] {
		if (text === this.#text) return this.#shown;
		if (!this.#isMore(text)) this.#begin();
		const blocks = splitBlocks(text.slice(this.#from));
		for (const block of blocks.slice(0, -1)) {
			this.#settle(block);
			this.#from += block.length + 1;
		}
		this.#text = text;
		const last = blocks.at(-1);
		this.#shown = last === undefined ? [...this.#settled] : [...this.#settled, this.#chunkOf(last)];
		return this.#shown;
	}

	/**
	 * True if the text continues the earlier text and is split in the same way. A carriage return or a link definition changes earlier text.
	 */
	#isMore(text: string): boolean {
		// startsWith is not used, because it compares letter by letter. With a carriage return, positions in the text and in its blocks differ.
		if (text.slice(0, this.#text.length) !== this.#text || text.includes("\r")) return false;
		return this.#from === 0 || text.length > BLOCK_CHARACTERS || !DEFINES.test(text);
	}

	#begin(): void {
		this.#text = "";
		this.#from = 0;
		this.#settled = [];
		this.#cost = 0;
	}

	#settle(block: string): void {
		const chunk = this.#chunkOf(block);
		const lines = countLines(block);
		const marks = chunk.kind === "markdown" ? countMarks(block) : 0;
		const before = this.#settled.at(-1);
		if (before !== undefined && this.#isJoined(before, chunk, this.#lines + lines, this.#marks + marks)) {
			this.#settled[this.#settled.length - 1] = { kind: chunk.kind, text: `${before.text}\n${block}` };
			this.#lines += lines;
			this.#marks += marks;
		} else {
			this.#settled.push(chunk);
			this.#lines = lines;
			this.#marks = marks;
		}
		this.#cost += costOf(chunk);
	}

	#isJoined(before: MarkdownChunk, { kind, text }: MarkdownChunk, lines: number, marks: number): boolean {
		if (before.kind !== kind || kind === "code") return false;
		if (kind === "plain") return this.#cost > MOST_COST;
		const isSmall = before.text.length + text.length < CHUNK_CHARACTERS && lines <= CHUNK_LINES && marks <= MARKS;
		return this.#settled.length > SINGLE_CHUNKS && isSmall;
	}

	#chunkOf(text: string): MarkdownChunk {
		if (this.#cost > MOST_COST) return { kind: "plain", text };
		return { kind: beginsWithCode(text) ? "code" : isReadable(text) ? "markdown" : "plain", text };
	}
}

/** How many of the chunks from `from` on are rendered at once: at least one, if there is one. */
export function drawnAtOnce(chunks: readonly MarkdownChunk[], from: number, cost = COST_AT_ONCE): number {
	let sum = 0;
	let at = from;
	while (at < chunks.length && (at === from || sum <= cost)) {
		sum += costOf(chunks[at] ?? { kind: "plain", text: "" });
		at++;
	}
	return at - from;
}

function costOf({ kind, text }: MarkdownChunk): number {
	if (kind === "plain") return 0;
	return kind === "code" ? CODE_COST : text.length + LINE_COST * countLines(text);
}

/** Code, with the language that its fence names, if any. */
export interface FencedCode {
	readonly language: string;
	readonly code: string;
}

/** The code of a code chunk. */
export function fencedCode(text: string): FencedCode {
	const lines = text.split("\n");
	const [, , mark = "```", info = ""] = FENCE.exec(lines[0] ?? "") ?? [];
	const end = lines.findIndex((line, index) => {
		if (index === 0) return false;
		const [, , closing, rest = ""] = FENCE.exec(line) ?? [];
		return closing?.startsWith(mark) === true && rest.trim() === "";
	});
	const [language = ""] = info.trim().split(/\s/, 1);
	return { language, code: lines.slice(1, end === -1 ? undefined : end).join("\n") };
}

export function countLines(text: string): number {
	let lines = 1;
	for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
	return lines;
}

/** The first lines of a text, at most `count`. */
export function firstLines(code: string, count: number): string {
	let end = -1;
	for (let line = 0; line < count; line++) {
		end = code.indexOf("\n", end + 1);
		if (end === -1) return code;
	}
	return code.slice(0, end);
}
