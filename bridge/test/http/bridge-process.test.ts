import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Endpoint } from "@xworkmate/contracts";
import { expect, it, vi } from "vitest";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

class BridgeProcess implements AsyncDisposable {
	readonly child: ChildProcess;
	stderr = "";

	constructor(home: string, env: Record<string, string> = {}) {
		const own = { PATH: process.env.PATH ?? "", HOME: home, XWORKMATE_HOME: join(home, "own"), XWORKMATE_BRIDGE_LISTEN: "127.0.0.1:0" };
		this.child = spawn(process.execPath, [MAIN], { env: { ...own, ...env }, stdio: ["ignore", "pipe", "pipe"] });
		this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
			this.stderr += text;
		});
	}

	async exit(): Promise<number | null> {
		if (this.child.exitCode !== null) return this.child.exitCode;
		const [code] = await once(this.child, "exit");
		return code;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		if (this.child.exitCode === null && this.child.signalCode === null) {
			this.child.kill("SIGKILL");
			await once(this.child, "exit");
		}
	}
}

async function temporaryHome() {
	const path = await mkdtemp(join(tmpdir(), "bridge home "));
	return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

async function endpointOf(file: string): Promise<Endpoint> {
	const read = async () => Endpoint.parse(JSON.parse(await readFile(file, "utf8")));
	return vi.waitFor(read, { timeout: 15_000, interval: 20 });
}

it("writes its endpoint once it listens, refuses a second owner, stops on SIGTERM and starts again", { timeout: 60_000 }, async () => {
	await using home = await temporaryHome();
	const file = join(home.path, "own", "bridge", "endpoint.json");
	await using bridge = new BridgeProcess(home.path);
	const { url, pid, startedAt } = await endpointOf(file);
	expect(pid).toBe(bridge.child.pid);
	expect(Date.parse(startedAt)).toBeLessThanOrEqual(Date.now());
	expect((await stat(file)).mode & 0o777).toBe(0o600);
	expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: "ok" });

	await using second = new BridgeProcess(home.path);
	// EX_TEMPFAIL: it may be free in a moment.
	expect(await second.exit()).toBe(75);
	expect(second.stderr).toContain(`in use by process ${pid}`);
	expect(second.stderr).not.toContain("    at ");

	const token = (await readFile(join(home.path, "own", "bridge", "token"), "utf8")).trim();
	const answer = await fetch(`${url}/acp/rpc`, {
		method: "POST",
		headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
		body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "acp.capabilities" }),
	});
	expect(await answer.json()).toMatchObject({
		result: {
			providers: expect.arrayContaining([expect.objectContaining({ providerId: "script" })]),
			storage: { freeBytes: expect.any(Number), totalBytes: expect.any(Number) },
		},
	});

	bridge.child.kill("SIGTERM");
	expect(await bridge.exit()).toBe(0);
	await expect(stat(file)).rejects.toThrow("ENOENT");
	expect(bridge.stderr).not.toContain(token);

	await using again = new BridgeProcess(home.path);
	expect((await endpointOf(file)).pid).toBe(again.child.pid);
});

it("says in one line why it does not start", { timeout: 60_000 }, async () => {
	await using home = await temporaryHome();
	const cases: [Record<string, string>, string][] = [
		[
			{ XWORKMATE_ALLOWED_HOST: "x" },
			"xworkmate bridge: XWORKMATE_ALLOWED_HOST is not an XWorkmate setting. Did you mean XWORKMATE_ALLOWED_HOSTS?\n",
		],
		[{ XWORKMATE_TLS_CERT: "/no/such", XWORKMATE_TLS_KEY: "/no/such" }, "The certificate or its key can't be read"],
	];
	for (const [env, words] of cases) {
		await using bridge = new BridgeProcess(home.path, env);
		expect(await bridge.exit()).toBe(1);
		expect(bridge.stderr).toContain(words);
		expect(bridge.stderr.trim().split("\n")).toHaveLength(1);
	}
});
