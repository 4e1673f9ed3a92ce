/** The key of the next receipt, whether of a run or a plan: all receipts are listed together, newest first. */
export const nextReceipt = "(SELECT 1 + max(coalesce((SELECT max(id) FROM receipt), 0), coalesce((SELECT max(id) FROM plan_receipt), 0)))";
