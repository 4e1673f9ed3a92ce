import { expect, it } from "vitest";
import { AttackedBridge } from "../support/hostile/attacked-bridge.ts";
import { hostAttacks } from "../support/hostile/host-attacks.ts";
import { verifyReceipts } from "../support/wire/receipts.ts";

const attacks = hostAttacks.filter(({ isLong }) => isLong === true);

it(`an accepted tool that keeps its process from its work, in ${attacks.length} ways`, { timeout: 120_000 }, async () => {
	await using attacked = await AttackedBridge.open(attacks);
	await attacked.expectHeld(attacks);
	expect(await verifyReceipts(attacked.bridge.client())).toMatchObject({ ok: true });
});
