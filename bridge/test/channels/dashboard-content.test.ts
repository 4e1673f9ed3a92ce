import { expect, it } from "vitest";
import { DashboardChannel } from "../../src/channels/dashboard/dashboard-channel.ts";

it("a message for the inbox may be as large as the refusal of a larger one says, in bytes", () => {
	const channel = new DashboardChannel({ lint: () => [] });
	expect(channel.contentProblem("ü".repeat(500_000))).toBeUndefined();
	expect(channel.contentProblem(`${"ü".repeat(500_000)}.`)).toBe("The message is larger than 1 MB.");
	expect(channel.contentProblem("x".repeat(1_020_000))).toBe("The message is larger than 1 MB.");
});
