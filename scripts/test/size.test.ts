import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryFiles, typescriptFiles } from "../house/source-file.ts";
import { repositoryRoot } from "../repository.ts";

/** What is installed and run; the others only test, measure or show it. */
const product = ["contracts", "platform", "tool-sdk", "bridge", "app", "openclaw-plugins"];
const sources = typescriptFiles(repositoryFiles(repositoryRoot)).filter(({ path }) =>
	product.some((name) => path.startsWith(`${name}/src/`)),
);
const having = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

describe("the product", () => {
	it("[T1-01] [T1-07] has six packages, of which tools added one", () => {
		const workspace = readFileSync(join(repositoryRoot, "pnpm-workspace.yaml"), "utf8");
		const packages = [...workspace.matchAll(/^ {2}- (\S+)$/gm)].map(([, name]) => name);
		expect(packages).toEqual([...product, "examples", "e2e", "bench"]);
	});

	it("[T1-01] has two databases and two servers, the bridge's and the app's, and no queue or service of others", () => {
		expect(having(/"(?:bridge|app)\.sqlite"/)).toEqual([
			// Copies both.
			"app/src/back-up/write-backup.ts",
			// Asks whether there is one that the bridge's own program can verify.
			"app/src/doctor/verify-disk.ts",
			// Looks whether the app's database is still there.
			"app/src/process/app/home-watch.ts",
			"app/src/store/open-app-store.ts",
			"bridge/src/store/sqlite/file/bridge-database.ts",
		]);
		expect(having(/\bawait app\.listen\(/)).toEqual(["app/src/process/app/listen-on.ts", "bridge/src/server.ts"]);
		const dependencies = product.flatMap((name) => {
			const { dependencies: own = {} } = JSON.parse(readFileSync(join(repositoryRoot, name, "package.json"), "utf8"));
			return Object.keys(own);
		});
		expect(dependencies.filter((name) => /redis|amqp|kafka|nats|bull|postgres|^pg$|mysql|mongo/.test(name))).toEqual([]);
	});

	it("[T1-06] downloads no tools: what finds, loads and adds them imports nothing that reaches the network", () => {
		const tools = sources.filter(({ path }) => /^(?:bridge|app)\/src\/tools\//.test(path));
		expect(tools.length).toBeGreaterThan(10);
		const reaching = /\bfetch\(|from "(?:node:)?(?:https?|http2|net|tls|dgram|undici)"|\b(?:npm|npx|pnpm|git clone)\b/;
		expect(tools.filter(({ text }) => reaching.test(text)).map(({ path }) => path)).toEqual([]);
	});
});
