import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { within } from "../machine/wait-until.ts";

const Effect = z.strictObject({ kind: z.string(), key: z.string(), count: z.number() });
const Request = z.strictObject({ method: z.string(), path: z.string(), idempotencyKey: z.string().optional() });

/** How a next request goes wrong (e2e/fakes/service/faults.ts). */
export interface ServiceFault {
	readonly kind: "reset_before" | "reset_after" | "hang" | "delay" | "answer" | "garbage" | "huge";
	readonly method?: string;
	readonly path?: string;
	readonly times?: number;
	readonly acts?: boolean;
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
	readonly ms?: number;
}

export interface FakeService extends AsyncDisposable {
	readonly url: string;
	/** The next requests that match go wrong as told. */
	fail(fault: ServiceFault): Promise<void>;
	/** What was done so far, with how often under each key. */
	effects(): Promise<readonly z.infer<typeof Effect>[]>;
	requests(): Promise<readonly z.infer<typeof Request>[]>;
}

const mains = {
	caldav: new URL("../../fakes/caldav/main.ts", import.meta.url),
	github: new URL("../../fakes/github/main.ts", import.meta.url),
	posthog: new URL("../../fakes/posthog/main.ts", import.meta.url),
};

/** Starts a service that speaks a real HTTP API, as a process on 127.0.0.1. Its main.ts says which credentials it accepts. */
export async function startFakeService(name: keyof typeof mains): Promise<FakeService> {
	const child = spawn(process.execPath, [fileURLToPath(mains[name])], {
		env: { PATH: "/usr/bin:/bin" },
		stdio: ["pipe", "pipe", "inherit"],
	});
	const ended = once(child, "exit");
	const [first] = await within(`the address of the fake ${name}`, 10_000, once(child.stdout, "data"));
	const { url } = z.object({ url: z.string() }).parse(JSON.parse(String(first)));
	const ask = async (path: string, init?: RequestInit): Promise<unknown> => {
		const answer = await fetch(`${url}/__fake/${path}`, init);
		return answer.status === 204 ? undefined : answer.json();
	};
	return {
		url,
		fail: async (fault) => void (await ask("fault", { method: "POST", body: JSON.stringify(fault) })),
		effects: async () => z.array(Effect).parse(await ask("effects")),
		requests: async () => z.array(Request).parse(await ask("requests")),
		async [Symbol.asyncDispose]() {
			child.kill("SIGTERM");
			await within(`the end of the fake ${name}`, 5_000, ended);
		},
	};
}
