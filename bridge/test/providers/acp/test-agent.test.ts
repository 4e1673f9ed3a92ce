import { describe, expect, it } from "vitest";
import { AcpBench } from "./support/acp-bench.ts";
import { unrulyDefinition } from "./support/unruly-definition.ts";

// A start takes as long as the machine is busy; what never answers has its own bound below.
const soon = () => AbortSignal.timeout(25_000);

describe("trying an agent", { timeout: 30_000 }, () => {
	it("starts it, hears which models it offers, and leaves nothing behind", async () => {
		await using bench = await AcpBench.open({ unruly: { UNRULY_MODELS: "small,large" } });
		const provider = bench.provider();
		expect(await provider.availability()).toEqual({ available: true });
		expect(await provider.test?.(soon())).toEqual({ available: true, models: ["small", "large"] });
		expect(bench.ledger.entries.size).toBe(0);
		expect(await provider.availability()).toEqual({ available: true, models: ["small", "large"] });
	});

	it.each([
		[{ UNRULY_AUTH: "required" }, "PROVIDER_AUTH_REQUIRED", /isn't signed in/],
		[{ UNRULY_HANDSHAKE: "die" }, "PROVIDER_EXITED", /no licence found/],
		[{ UNRULY_HANDSHAKE: "garbage" }, "PROVIDER_ERROR", /violated the protocol/],
	])("with %o says %s", async (unruly, code, message) => {
		await using bench = await AcpBench.open({ unruly });
		const tried = await bench.provider().test?.(soon());
		expect(tried).toMatchObject({ available: false, unavailable: { code, message: expect.stringMatching(message) } });
		await expect.poll(() => bench.ledger.entries.size).toBe(0);
	});

	it("that never answers is given up on and ended", async () => {
		await using bench = await AcpBench.open({ unruly: { UNRULY_HANDSHAKE: "hang" } });
		const tried = await bench.provider().test?.(AbortSignal.timeout(300));
		// The command alone would start another program. A path with a space is quoted.
		const fix = expect.stringMatching(/^Run `[^`]*node'? '?\/[^`]+unruly-agent\.ts'?` in a terminal to see what it is waiting for\.$/);
		expect(tried).toMatchObject({ available: false, unavailable: { code: "PROVIDER_SILENT", fix } });
		await expect.poll(() => bench.ledger.entries.size).toBe(0);
	});

	it("that is not installed says how to get it", async () => {
		const lost = { ...unrulyDefinition(), distribution: { command: { cmd: "no-such-agent-anywhere" } } };
		await using bench = await AcpBench.open({ agents: [lost] });
		expect(await bench.provider().test?.(soon())).toMatchObject({ available: false, unavailable: { code: "PROVIDER_NOT_INSTALLED" } });
	});

	it("ends with the bridge", async () => {
		await using bench = await AcpBench.open({ unruly: { UNRULY_HANDSHAKE: "hang" } });
		const trying = bench.provider().test?.(AbortSignal.timeout(60_000));
		await expect.poll(() => bench.ledger.entries.size).toBe(1);
		await bench.provider().close();
		// It was not the agent that took too long.
		expect(await trying).toMatchObject({ available: false, unavailable: { code: "TEST_STOPPED" } });
		expect(bench.ledger.entries.size).toBe(0);
	});
});
