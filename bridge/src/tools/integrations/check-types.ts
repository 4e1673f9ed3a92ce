import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ToolProblem } from "@xworkmate/contracts";
import type { SourceFile } from "./tool-version.ts";

/** A problem in an integration. A type error has the code `TYPES`. */
export type FoundProblem = Omit<ToolProblem, "code"> & { readonly code: ToolProblem["code"] | "TYPES" };

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 4 * 2 ** 20;
const MAX_PROBLEMS = 100;
const ERROR = /^([^\n(]{1,1000})\((\d+),(\d+)\): error (TS\d+: .*)$/;

/**
 * The compiler's project. It matches how the sources run: types are removed rather than compiled, and `@xworkmate/tool` and `zod` are ours.
 */
function projectOf(folder: string, files: readonly SourceFile[]): string {
	const resolved = (name: string) => realpathSync(fileURLToPath(import.meta.resolve(name)));
	const types = typeFolders();
	const tool = resolved("@xworkmate/tool").replace(/\.js$/, ".d.ts");
	return JSON.stringify({
		compilerOptions: {
			strict: true,
			target: "es2024",
			lib: ["es2025", "esnext.disposable", "esnext.array"],
			module: "esnext",
			moduleResolution: "bundler",
			allowImportingTsExtensions: true,
			erasableSyntaxOnly: true,
			verbatimModuleSyntax: true,
			skipLibCheck: true,
			noEmit: true,
			...(types.length === 0 ? { types: [] } : { types: ["node"], typeRoots: types }),
			paths: { "@xworkmate/tool": [tool], zod: [join(dirname(resolved("zod")), "index.d.ts")] },
		},
		files: files.map(({ path }) => join(folder, path)),
	});
}

function typeFolders(): readonly string[] {
	const found: string[] = [];
	for (let at = dirname(fileURLToPath(import.meta.url)); at !== dirname(at); at = dirname(at)) {
		const types = join(at, "node_modules", "@types");
		if (existsSync(join(types, "node"))) found.push(types);
	}
	return found;
}

/**
 * The type errors of an integration's files.
 * @param scratch a folder for the compiler's project
 */
export async function checkTypes(
	folder: string,
	files: readonly SourceFile[],
	scratch: string,
	compiler: { readonly command: string; readonly environment: Readonly<Record<string, string>> },
): Promise<readonly FoundProblem[]> {
	const project = join(scratch, "tsconfig.json");
	await writeFile(project, projectOf(folder, files));
	const printed = await new Promise<string>((resolve, reject) => {
		const options = { cwd: folder, env: { ...compiler.environment }, timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES };
		execFile(compiler.command, ["-p", project, "--pretty", "false"], options, (error, stdout) => {
			// The compiler exits with a code above 0 if it found errors.
			if (error !== null && typeof error.code !== "number") reject(error);
			else resolve(stdout);
		});
	});
	const own = new Set(files.map(({ path }) => path));
	const found = printed.split("\n").flatMap((line): FoundProblem[] => {
		const [, file = "", at, column, message = ""] = ERROR.exec(line) ?? [];
		return own.has(file) ? [{ code: "TYPES", message: message.slice(0, 2_000), file, line: Number(at), column: Number(column) }] : [];
	});
	if (found.length === 0 && /error TS\d+/.test(printed)) return [{ code: "TYPES", message: printed.slice(0, 2_000) }];
	return found.slice(0, MAX_PROBLEMS);
}
