import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { callOf, signature, statusCall } from "./signed.ts";

const MAIN = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));
const secrets = { appSecret: "the-app-secret-of-this-test", verifyToken: "the-verify-token-of-this-test" };
const LISTENS = /"url":"(http:[^"]+)","msg":"listening for webhooks"/;

/** A real bridge, over a home that may be another's. */
class Bridge implements AsyncDisposable {
	readonly child: ChildProcess;
	output = "";

	constructor(home: string, env: Record<string, string> = { XWORKMATE_WEBHOOK_LISTEN: "127.0.0.1:0" }) {
		const own = { PATH: process.env.PATH ?? "", HOME: home, XWORKMATE_HOME: join(home, "own"), XWORKMATE_BRIDGE_LISTEN: "127.0.0.1:0" };
		this.child = spawn(process.execPath, [MAIN], { env: { ...own, ...env }, stdio: ["ignore", "pipe", "pipe"] });
		for (const stream of [this.child.stdout, this.child.stderr])
			stream?.setEncoding("utf8").on("data", (text: string) => {
				this.output += text;
			});
	}

	/** The origin of its webhooks. */
	async origin(): Promise<string> {
		await expect.poll(() => this.output, { timeout: 20_000, interval: 20 }).toMatch(LISTENS);
		return LISTENS.exec(this.output)?.[1] ?? "";
	}

	async end(signal: NodeJS.Signals): Promise<number | null> {
		const ended = once(this.child, "exit");
		this.child.kill(signal);
		return (await ended)[0];
	}

	async [Symbol.asyncDispose](): Promise<void> {
		if (this.child.exitCode === null && this.child.signalCode === null) await this.end("SIGKILL");
	}
}

async function preparedHome() {
	const path = await mkdtemp(join(tmpdir(), "webhook home "));
	const folder = join(path, "own", "bridge");
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const stored = { version: 1, channels: { whatsapp: secrets } };
	await writeFile(join(folder, "channel-secrets.json"), JSON.stringify(stored), { mode: 0o600 });
	return { path, folder, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

function rows(folder: string, sql: string): unknown[] {
	const db = new Database(join(folder, "bridge.sqlite"), { readonly: true });
	try {
		return db.prepare(sql).all();
	} finally {
		db.close();
	}
}

const post = (origin: string, body: string, secret = secrets.appSecret) =>
	fetch(`${origin}/webhooks/whatsapp`, { method: "POST", headers: { "x-hub-signature-256": signature(body, secret) }, body });

it("a bridge that is killed in a webhook has stored what it answered, and takes once what is told again", { timeout: 60_000 }, async () => {
	await using home = await preparedHome();
	const message = { id: "wamid.9", from: "15550001111", timestamp: "1767571200", type: "text", text: { body: "a private word" } };
	const call = callOf({ metadata: { phone_number_id: "1" }, messages: [message] });
	const status = statusCall("wamid.1", "delivered");
	const count = "SELECT count(*) AS n FROM webhook_event";
	{
		await using first = new Bridge(home.path);
		const origin = await first.origin();
		const asked = new URLSearchParams({ "hub.mode": "subscribe", "hub.verify_token": secrets.verifyToken, "hub.challenge": "42" });
		expect(await (await fetch(`${origin}/webhooks/whatsapp?${asked}`)).text()).toBe("42");
		expect((await fetch(`${origin}/acp/rpc`, { method: "POST", body: "{}" })).status).toBe(404);
		expect([(await post(origin, status, "another")).status, rows(home.folder, count)]).toEqual([401, [{ n: 0 }]]);
		expect([(await post(origin, call)).status, (await post(origin, status)).status]).toEqual([200, 200]);
		await first.end("SIGKILL");
		expect(rows(home.folder, count)).toEqual([{ n: 2 }]);
	}
	await using second = new Bridge(home.path);
	const origin = await second.origin();
	expect([(await post(origin, status)).status, (await post(origin, call)).status]).toEqual([200, 200]);
	expect(rows(home.folder, count)).toEqual([{ n: 2 }]);
	const window = "SELECT channel, address, until FROM reply_window";
	const open = { channel: "whatsapp", address: "+15550001111 to 1", until: "2026-01-06T00:00:00.000Z" };
	await expect.poll(() => rows(home.folder, window), { timeout: 10_000 }).toEqual([open]);
	expect(JSON.stringify(rows(home.folder, "SELECT * FROM webhook_event"))).not.toContain("private");
	expect(await second.end("SIGTERM")).toBe(0);
	for (const secret of [...Object.values(secrets), "private", "15550001111"]) expect(second.output).not.toContain(secret);
	await expect(fetch(origin)).rejects.toThrow();
});

it("listens for no webhooks unless it is told where, and then not where strangers could read along", { timeout: 60_000 }, async () => {
	await using home = await preparedHome();
	await using silent = new Bridge(home.path, {});
	await expect.poll(() => silent.output, { timeout: 20_000 }).toContain("the bridge is listening");
	expect(silent.output).not.toContain("webhooks");
	await using open = new Bridge(home.path, { XWORKMATE_WEBHOOK_LISTEN: "0.0.0.0:0" });
	await expect.poll(() => open.child.exitCode, { timeout: 20_000 }).toBe(1);
	expect(open.output).toContain("would not be encrypted");
});
