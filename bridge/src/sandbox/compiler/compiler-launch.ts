import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface CompilerOptions {
	/** The compiler's executable; default: the one that came with the `typescript` package. */
	readonly executable?: string;
	/** What the compiler may hold, where the system can bound it. */
	readonly memoryBytes: number;
}

/** Its own collector works harder from here on, before the bound is reached. */
const WORK_HARDER = 0.8;

/** Where the compiler and its own `lib.*.d.ts` lie. */
export function libraryDirectory(): string {
	const fromTypescript = createRequire(createRequire(import.meta.url).resolve("typescript/package.json"));
	return join(dirname(fromTypescript.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`)), "lib");
}

/** How a compiler is run within its bound: the command, and the environment it reads the bound from. */
export function boundedCompiler({ executable, memoryBytes }: CompilerOptions): {
	readonly command: string;
	readonly environment: Readonly<Record<string, string>>;
} {
	const isWindows = process.platform === "win32";
	const compiler = executable ?? join(libraryDirectory(), isWindows ? "tsc.exe" : "tsc");
	const environment = { GOMEMLIMIT: String(Math.floor(memoryBytes * WORK_HARDER)) };
	if (isWindows) return { command: compiler, environment };
	return {
		command: fileURLToPath(new URL("./bounded-compiler.sh", import.meta.url)),
		environment: { ...environment, BOUNDED_COMPILER: compiler, BOUNDED_COMPILER_KIB: String(Math.floor(memoryBytes / 1024)) },
	};
}
