import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { TemporaryHome } from "../machine/temporary-home.ts";
import { within } from "../machine/wait-until.ts";

/** How the agent in a package behaves (e2e/fakes/npm/agent.mjs). */
export interface AgentBehaviour {
	readonly start?: "dies" | "hangs" | "asks" | "floods";
	readonly needsSignIn?: boolean;
	readonly signIn?: "endless";
}

export interface PublishedAgent extends AgentBehaviour {
	readonly name: string;
	readonly version: string;
	readonly scripts?: Readonly<Record<string, string>>;
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly withoutProgram?: true;
}

export interface FakeRegistry extends AsyncDisposable {
	readonly url: string;
	/** Returns the hash of the package. */
	publish(agent: PublishedAgent): Promise<string>;
	fail(kind: "altered" | "no-hash" | "hang" | "refuse", name: string): Promise<void>;
	mend(): Promise<void>;
	requests(): Promise<readonly string[]>;
}

/** Starts a registry of npm as a process on 127.0.0.1 (e2e/fakes/npm/main.ts). */
export async function startFakeRegistry(): Promise<FakeRegistry> {
	const main = fileURLToPath(new URL("../../fakes/npm/main.ts", import.meta.url));
	const agent = await readFile(new URL("../../fakes/npm/agent.mjs", import.meta.url), "utf8");
	const child = spawn(process.execPath, [main], { env: { PATH: "/usr/bin:/bin" }, stdio: ["pipe", "pipe", "inherit"] });
	const ended = once(child, "exit");
	const [first] = await within("the address of the fake registry", 20_000, once(child.stdout, "data"));
	const { url } = z.object({ url: z.string() }).parse(JSON.parse(String(first)));
	const post = async (path: string, body: object): Promise<unknown> => {
		const answer = await fetch(`${url}/__fake/${path}`, { method: "POST", body: JSON.stringify(body) });
		if (!answer.ok) throw new Error(await answer.text());
		return answer.json();
	};
	return {
		url,
		async publish({ name, version, scripts, dependencies, withoutProgram, ...behaviour }) {
			const files = { "agent.mjs": agent, "behaviour.json": JSON.stringify({ version, ...behaviour }) };
			const command = name.split("/").at(-1) ?? name;
			const bin = withoutProgram ? undefined : { [command]: "agent.mjs" };
			const published = { name, version, files, ...(bin && { bin }), ...(scripts && { scripts }), ...(dependencies && { dependencies }) };
			return z.object({ integrity: z.string() }).parse(await post("publish", published)).integrity;
		},
		fail: async (kind, name) => void (await post("fault", { kind, name })),
		mend: async () => void (await post("fault", {})),
		requests: async () => z.array(z.string()).parse(await (await fetch(`${url}/__fake/requests`)).json()),
		async [Symbol.asyncDispose]() {
			child.kill("SIGTERM");
			await within("the end of the fake registry", 5_000, ended);
		},
	};
}

/** An entry of `<home>/agents.json`, in the format of the ACP registry. */
export interface CatalogueEntry {
	readonly id: string;
	readonly package: string;
	readonly version: string;
	readonly extras?: Readonly<Record<string, unknown>>;
}

/** Replaces the catalogue of a home. */
export async function writeCatalogue(home: TemporaryHome, entries: readonly CatalogueEntry[]): Promise<void> {
	const agents = entries.map(({ id, package: name, version, extras }) => ({
		id,
		name: id,
		version,
		description: `The agent ${id}`,
		distribution: { npx: { package: `${name}@${version}` } },
		...(extras && { _meta: { xworkmate: extras } }),
	}));
	await writeFile(join(home.xworkmate, "agents.json"), JSON.stringify({ version: "1.0.0", agents }));
}
