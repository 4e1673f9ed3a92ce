import { common, createLowlight } from "lowlight";

/** The kind of a token, which determines its color. */
export type CodeKind = "key" | "str" | "num" | "com" | "name" | "add" | "del";

/** A piece of the text. Without a kind, it is plain. */
export type CodeRun = readonly [text: string, kind?: CodeKind];

const languages = createLowlight(common);
type Root = ReturnType<typeof languages.highlight>;

const kinds: Readonly<Record<string, CodeKind>> = {
	"hljs-keyword": "key",
	"hljs-built_in": "key",
	"hljs-type": "key",
	"hljs-selector-tag": "key",
	"hljs-name": "key",
	"hljs-tag": "key",
	"hljs-string": "str",
	"hljs-regexp": "str",
	"hljs-char": "str",
	"hljs-link": "str",
	"hljs-number": "num",
	"hljs-literal": "num",
	"hljs-symbol": "num",
	"hljs-comment": "com",
	"hljs-quote": "com",
	"hljs-doctag": "com",
	"hljs-meta": "com",
	"hljs-title": "name",
	"hljs-attr": "name",
	"hljs-attribute": "name",
	"hljs-section": "name",
	"hljs-property": "name",
	"hljs-addition": "add",
	"hljs-deletion": "del",
};

/** The language of a file by its extension or, without one, by its name; undefined if it is not supported. */
export function languageOf(relativePath: string): string | undefined {
	const name = relativePath.split("/").at(-1)?.toLowerCase() ?? "";
	const end = name.includes(".") ? (name.split(".").at(-1) ?? "") : name;
	const language = (Object.hasOwn(aliases, end) ? aliases[end] : undefined) ?? end;
	return languages.registered(language) ? language : undefined;
}

const aliases: Readonly<Record<string, string>> = { cts: "ts", mts: "ts", cjs: "js", mjs: "js", htm: "html", jsonl: "json", h: "c" };

/** Splits a text into pieces, which together are exactly that text. */
export function highlightCode(text: string, language: string): readonly CodeRun[] {
	const runs: [string, CodeKind?][] = [];
	addRuns(languages.highlight(language, text), undefined, runs);
	return runs;
}

function addRuns(node: Root | Root["children"][number], kind: CodeKind | undefined, runs: [string, CodeKind?][]): void {
	if (node.type === "text") {
		const last = runs.at(-1);
		// Adjacent pieces of the same kind are merged, because thousands of pieces are slow to lay out.
		if (last !== undefined && last[1] === kind) last[0] += node.value;
		else runs.push(kind === undefined ? [node.value] : [node.value, kind]);
	}
	if (!("children" in node)) return;
	const own = node.type === "element" ? kindOf(node.properties.className) : undefined;
	for (const child of node.children) addRuns(child, own ?? kind, runs);
}

function kindOf(names: unknown): CodeKind | undefined {
	const [first] = Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
	return first !== undefined && Object.hasOwn(kinds, first) ? kinds[first] : undefined;
}
