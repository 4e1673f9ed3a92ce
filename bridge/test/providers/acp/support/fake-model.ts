import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const script = fileURLToPath(new URL("../../../../../e2e/fakes/fake-model/main.ts", import.meta.url));
const Started = z.object({ url: z.url() });
const Logged = z.object({
	act: z.string().optional(),
	path: z.string().optional(),
	headers: z.record(z.string(), z.unknown()).optional(),
	abortedByCaller: z.boolean().optional(),
	body: z.unknown().optional(),
});
export type LoggedRequest = z.infer<typeof Logged>;

/** The end-to-end tests' fake model as its own process. */
export class FakeModel implements AsyncDisposable {
	readonly url: string;
	readonly #child: ChildProcess;
	readonly #logPath: string;

	private constructor(child: ChildProcess, url: string, logPath: string) {
		this.#child = child;
		this.url = url;
		this.#logPath = logPath;
	}

	/** @param logPath gets one JSON line a request */
	static async start(logPath: string): Promise<FakeModel> {
		const env = { PATH: process.env.PATH, FAKE_MODEL_LOG: logPath };
		const child = spawn(process.execPath, [script], { env, stdio: ["pipe", "pipe", "inherit"] });
		const [line]: unknown[] = await once(createInterface(child.stdout), "line");
		const { url } = Started.parse(JSON.parse(String(line)));
		return new FakeModel(child, url, logPath);
	}

	/** How requests with a credential go wrong: an `AccountBehaviour` of e2e/fakes/fake-model. */
	async tell(behaviour: object): Promise<void> {
		await fetch(`${this.url}/__fake/account`, { method: "POST", body: JSON.stringify(behaviour) });
	}

	async requests(): Promise<readonly LoggedRequest[]> {
		const text = await readFile(this.#logPath, "utf8").catch(() => "");
		const lines = text.split("\n").filter((line) => line !== "");
		return lines.map((line) => Logged.parse(JSON.parse(line)));
	}

	async [Symbol.asyncDispose](): Promise<void> {
		const exited = once(this.#child, "exit");
		this.#child.stdin?.end();
		await exited;
	}
}
