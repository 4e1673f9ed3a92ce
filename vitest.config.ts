import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst } from "./scripts/longest-first.ts";
import { TestsOfMutants } from "./scripts/mutants/tests-of-mutants.ts";

// Real processes, SQLite files and sockets: forks keep a crash of one file from the others. Tests wait
// for processes and disks a good part of their time: three workers keep two cores busy. Files share a worker's
// modules, since loading them anew took a third of the time; no test may change a global. A test that starts
// programs takes a second or two alone, and ten where two cores have other work.
const shared = { pool: "forks", maxWorkers: 3, isolate: false, testTimeout: 20_000, hookTimeout: 20_000 } as const;
const exclude = [...configDefaults.exclude, "**/.toolchain/**", "**/.cache/**", "e2e/agents/**"];

/** The projects that start programs get them bundled. */
const bundledPrograms = "scripts/pack/use-bundled-programs.ts";

interface ProjectOptions {
	readonly include: readonly string[];
	readonly exclude?: readonly string[];
	/** Projects of one group run beside each other; groups run from low to high. */
	readonly groupOrder?: number;
	readonly maxWorkers?: number;
	readonly isolate?: boolean;
	readonly testTimeout?: number;
	readonly hookTimeout?: number;
	readonly globalSetup?: string;
	readonly environment?: string;
	readonly setupFile?: string;
	readonly expect?: { readonly poll: { readonly timeout: number } };
}

function project(name: string, { include, exclude: more = [], groupOrder = 0, setupFile, ...options }: ProjectOptions) {
	return {
		test: {
			...shared,
			...options,
			...(setupFile && { setupFiles: [setupFile] }),
			name,
			include: [...include],
			exclude: [...exclude, ...more],
			sequence: { groupOrder },
		},
	};
}

const unit = (folder: string, exclude: readonly string[] = []) =>
	project(folder, { include: [`${folder}/{src,test}/**/*.test.ts`], exclude: ["*/test/extended/**", ...exclude] });

/** Tests of the bridge that start git, agents, compilers and programs. They take four times as long as all its other tests. */
const bridgeProcesses = ["edits", "programs", "providers/{acp,assistant,script}", "sandbox", "tools/integrations"].map(
	(folder) => `bridge/test/${folder}/**/*.test.ts`,
);

/**
 * `npm test` runs what takes minutes. The other projects have commands of their own (package.json): `npm run test:system` runs
 * `bridge-processes` and `e2e`.
 */
export default defineConfig({
	test: {
		passWithNoTests: true,
		teardownTimeout: 10_000,
		globalSetup: "scripts/own-temp-folder.ts",
		sequence: { sequencer: LongestFirst },
		reporters: ["default", new TestsOfMutants()],
		projects: [
			unit("contracts"),
			unit("platform"),
			unit("tool-sdk"),
			unit("bridge", bridgeProcesses),
			project("bridge-processes", { include: bridgeProcesses }),
			unit("app"),
			// Components in a document; the files of a worker share it, and its setup empties it before each of them.
			project("ui", { include: ["app/test/ui/**/*.test.tsx"], environment: "happy-dom", setupFile: "app/test/ui/fresh-page.ts" }),
			unit("openclaw-plugins"),
			// The CalDAV test has an account in the place of the example's: a module is replaced, so each file has its own.
			project("examples", { include: ["examples/test/**/*.test.ts"], isolate: true, testTimeout: 30_000 }),
			project("house", { include: ["scripts/test/**/*.test.ts"], testTimeout: 120_000 }),
			project("e2e", {
				include: ["e2e/**/*.test.ts"],
				exclude: ["e2e/extended/**", "e2e/openclaw/**", "e2e/ui/**"],
				globalSetup: bundledPrograms,
				groupOrder: 1,
				testTimeout: 120_000,
				hookTimeout: 120_000,
			}),
			// Needs a Chromium.
			project("browser", {
				include: ["e2e/ui/**/*.test.ts"],
				globalSetup: bundledPrograms,
				groupOrder: 2,
				maxWorkers: 2,
				// What a page shows comes when it comes: the bound is for a fault, not for a busy machine.
				expect: { poll: { timeout: 15_000 } },
				testTimeout: 180_000,
				hookTimeout: 180_000,
			}),
			project("extended", {
				include: ["e2e/extended/**/*.test.ts", "bridge/test/extended/**/*.test.ts"],
				exclude: ["**/*.alone.test.ts"],
				globalSetup: bundledPrograms,
				groupOrder: 3,
				testTimeout: 300_000,
				hookTimeout: 300_000,
			}),
			// What is said of times holds for a machine that does nothing else.
			project("alone", {
				include: ["e2e/extended/**/*.alone.test.ts"],
				globalSetup: bundledPrograms,
				groupOrder: 4,
				maxWorkers: 1,
				testTimeout: 300_000,
				hookTimeout: 300_000,
			}),
			project("openclaw", {
				include: ["e2e/openclaw/**/*.test.ts"],
				globalSetup: "e2e/openclaw/set-up.ts",
				groupOrder: 5,
				maxWorkers: 2,
				testTimeout: 180_000,
				hookTimeout: 180_000,
			}),
		],
	},
});
