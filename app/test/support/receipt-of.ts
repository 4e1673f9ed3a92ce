import { Receipt } from "@xworkmate/contracts";

/** A receipt that is of no call, with made-up hashes. */
export function looseReceipt(n: number, type: "auth.profile.rotated" | "answer.checked", detail: object): Receipt {
	return Receipt.parse({
		...{ receiptId: `run1.${n}`, runId: "run1", n, at: "2026-11-23T10:00:00.000Z", type, origin: "executed", detail },
		prevHash: String(n - 1).padStart(64, "0"),
		hash: String(n).padStart(64, "0"),
	});
}
