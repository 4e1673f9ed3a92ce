import { expect, it } from "vitest";
import { deliveryKillRounds } from "../support/plans/delivery-kill-rounds.ts";

const KILLS = 30;

it("[T2-67] loses no message and sends none twice over thirty kills of bridges that send by mail, WhatsApp and Discord", {
	timeout: 600_000,
}, async () => {
	const seed = Date.now() % 1_000_000;
	const report = await deliveryKillRounds({ seed, kills: KILLS });
	expect(report.kills).toHaveLength(KILLS);
	expect(report, `seed ${seed}`).toMatchObject({ doubles: [], lost: [], strange: [] });
	expect(report.sent + report.rows).toBe(report.expected);
});
