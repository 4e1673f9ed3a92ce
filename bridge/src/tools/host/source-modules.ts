import { isBuiltin, registerHooks, stripTypeScriptTypes } from "node:module";

const TOOL_PACKAGE = "@xworkmate/tool";
const DECLARATION = /\b(?:const|let|var|function) ([A-Za-z_$][\w$]{0,100})/g;

/** An integration imports something that is not allowed. */
class ImportRefused extends Error {
	override readonly name = "ImportRefused";
	readonly code = "IMPORT_REFUSED";
}

/** The modules of one integration, loaded from texts in memory, so that later changes on the disk have no effect. */
export class SourceModules {
	/** The file that was compiled last, to which an error without a position is attributed. */
	compiled = "";
	readonly #sources: ReadonlyMap<string, string>;
	readonly #root: string;

	constructor(integration: string, sources: ReadonlyMap<string, string>) {
		this.#sources = sources;
		this.#root = `tool:///${integration}/`;
		registerHooks({
			resolve: (specifier, context, next) => {
				const parent = context.parentURL ?? "";
				if (specifier.startsWith(this.#root) && !parent.startsWith(this.#root)) return { url: specifier, shortCircuit: true };
				if (!parent.startsWith(this.#root)) return next(specifier, context);
				if (specifier.startsWith(".")) return { url: this.#url(specifier, parent), shortCircuit: true };
				// Resolved to our own copies, whatever is installed elsewhere, because the definitions have to use the classes that the host knows.
				if (specifier === TOOL_PACKAGE || specifier === "zod") return next(specifier, { ...context, parentURL: import.meta.url });
				if (isBuiltin(specifier)) return next(specifier, context);
				throw new ImportRefused(
					`It imports ${JSON.stringify(specifier)}. A tool can import only ${TOOL_PACKAGE}, zod, Node's built-in modules and its own files.`,
				);
			},
			load: (url, context, next) => {
				if (!url.startsWith(this.#root)) return next(url, context);
				this.compiled = this.pathOf(url);
				const source = stripTypeScriptTypes(this.#sources.get(this.compiled) ?? "", { sourceUrl: url });
				return { format: "module", source, shortCircuit: true };
			},
		});
	}

	import(path: string): Promise<Readonly<Record<string, unknown>>> {
		return import(this.#root + encodeURI(path));
	}

	pathOf(url: string): string {
		return decodeURI(url.slice(this.#root.length));
	}

	/** The position in the sources where an error occurred, if the error's stack shows it. */
	positionOf(error: unknown): { readonly file?: string; readonly line?: number; readonly column?: number } {
		const stack = error instanceof Error && typeof error.stack === "string" ? error.stack.slice(0, 20_000) : "";
		const at = stack.indexOf(this.#root);
		if (at < 0) return this.compiled === "" ? {} : { file: this.compiled };
		const [, path = "", line, column] = /^([^\s:]{1,1000}):(\d{1,7})(?::(\d{1,7}))?/.exec(stack.slice(at + this.#root.length)) ?? [];
		if (!this.#sources.has(decodeURI(path))) return { file: this.compiled };
		const caret = at === 0 ? /^( {0,1000})\^/m.exec(stack)?.[1]?.length : undefined;
		const found = column === undefined ? (caret === undefined ? undefined : caret + 1) : Number(column);
		return {
			file: decodeURI(path),
			...(line === undefined ? {} : { line: Number(line) }),
			...(found === undefined ? {} : { column: found }),
		};
	}

	/** Line and column where a name is declared. */
	declarationOf(file: string, name: string): { readonly line?: number; readonly column?: number } {
		const source = this.#sources.get(file) ?? "";
		const declared = [...source.matchAll(DECLARATION)].find(([, found]) => found === name);
		if (declared === undefined) return {};
		const lines = source.slice(0, declared.index).split("\n");
		return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
	}

	#url(specifier: string, parent: string): string {
		const url = new URL(specifier, parent).href;
		if (!url.startsWith(this.#root)) throw new ImportRefused(`It imports ${JSON.stringify(specifier)}, which is outside its folder.`);
		if (!this.#sources.has(this.pathOf(url)))
			throw new ImportRefused(`It imports ${JSON.stringify(specifier)}, but there is no such .ts file.`);
		return url;
	}
}
