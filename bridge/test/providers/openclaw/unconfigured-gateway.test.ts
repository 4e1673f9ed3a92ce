import { FailedCode } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { UnconfiguredGateway } from "../../../src/providers/openclaw/unconfigured-gateway.ts";

it("a message that was still in the queue when the gateway's settings were removed is said never to have been sent", async () => {
	const outcome = await new UnconfiguredGateway().runTurn();
	expect(outcome).toMatchObject({ kind: "failed", code: "OPENCLAW_NOT_CONFIGURED" });
	expect(outcome).toMatchObject({ message: expect.stringMatching(/never sent.*Set "Gateway address"/) });
	expect(FailedCode.safeParse("OPENCLAW_NOT_CONFIGURED").success).toBe(true);
});
