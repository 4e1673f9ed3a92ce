import { afterEach, expect, it, vi } from "vitest";
import { stopVerifying, verification, verify } from "../../../src/ui/receipts/verification.ts";
import { fakeApp, Refused } from "../fake-app.ts";

afterEach(() => vi.unstubAllGlobals());

it("a verification that is stopped before its first answer does not go on, and the next one says why it failed", async () => {
	const { promise: answered, resolve: answer } = Promise.withResolvers<object>();
	const answers: { listReceipts: unknown } = { listReceipts: () => answered };
	const calls = fakeApp(answers);
	const stopped = verify();
	expect(verification.value).toEqual({ isRunning: true });
	stopVerifying();
	expect(verification.value).toEqual({});
	answer({ items: [] });
	await stopped;
	expect(calls.map(({ method }) => method)).toEqual(["listReceipts"]);
	expect(verification.value).toEqual({});
	answers.listReceipts = new Refused("ACP_HTTP_CONNECT_FAILED", "The bridge is not running.");
	await verify();
	expect(verification.value.problem).toBe("The bridge is not running.");
});
