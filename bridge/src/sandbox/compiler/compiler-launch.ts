import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface CompilerOptions {
	/** The compiler's executable; by default the one that the `typescript` package depends on for this platform. */
	readonly executable?: string;
	/** Memory limit of the compiler, where the system can enforce one. */
	readonly memoryBytes: number;
}

/** The part of the memory limit above which the garbage collector runs more often. */
const WORK_HARDER = 0.8;

/** The folder of the compiler and its own `lib.*.d.ts`. */
export function libraryDirectory(): string {
	const fromTypescript = createRequire(createRequire(import.meta.url).resolve("typescript/package.json"));
	return join(dirname(fromTypescript.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`)), "lib");
}

/** The command and environment that run a compiler within its memory limit. */
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
