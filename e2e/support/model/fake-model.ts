import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { within } from "../machine/wait-until.ts";

const main = fileURLToPath(new URL("../../fakes/fake-model/main.ts", import.meta.url));
const LogLine = z.looseObject({
	number: z.number(),
	path: z.string().optional(),
	headers: z.record(z.string(), z.unknown()).optional(),
	body: z.unknown().optional(),
	act: z.string().optional(),
	abortedByCaller: z.boolean().optional(),
});

export type ModelRequest = z.infer<typeof LogLine>;

export interface FakeModel extends AsyncDisposable {
	readonly url: string;
	/** Absolute; where the requests are logged. */
	readonly log: string;
	/** How requests with a credential go wrong: an `AccountBehaviour` of e2e/fakes/fake-model. */
	tell(behaviour: object): Promise<void>;
	/** Every request so far, as the model saw it. */
	requests(): Promise<readonly ModelRequest[]>;
}

/** The requests in a model's log. */
export async function readModelLog(log: string): Promise<readonly ModelRequest[]> {
	const text = await readFile(log, "utf8").catch(() => "");
	return text
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => LogLine.parse(JSON.parse(line)));
}

/** Starts the scripted model provider as a process; its log is in its own folder, outside every home. */
export async function startFakeModel(env: Record<string, string> = {}): Promise<FakeModel> {
	const folder = await mkdtemp(join(tmpdir(), "fake-model-"));
	const log = join(folder, "requests.jsonl");
	const child = spawn(process.execPath, [main], {
		env: { PATH: "/usr/bin:/bin", FAKE_MODEL_LOG: log, ...env },
		stdio: ["pipe", "pipe", "inherit"],
	});
	const ended = once(child, "exit");
	const [first] = await within("the fake model's address", 10_000, once(child.stdout, "data"));
	const { url } = z.object({ url: z.string() }).parse(JSON.parse(String(first)));
	return {
		url,
		log,
		async tell(behaviour) {
			await fetch(`${url}/__fake/account`, { method: "POST", body: JSON.stringify(behaviour) });
		},
		requests: () => readModelLog(log),
		async [Symbol.asyncDispose]() {
			child.kill("SIGTERM");
			await within("the fake model's end", 5_000, ended);
			await rm(folder, { recursive: true, force: true });
		},
	};
}
