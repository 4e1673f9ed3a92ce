import { expect, it } from "vitest";
import { throughPlan } from "../../../src/ui/turn/again-safely.ts";

it("offers the plan instead of sending its work again as a message of the thread, whose answer the plan would not get", () => {
	expect(throughPlan(["retry", "choose_agent", "doctor", "run_log"])).toEqual(["open_plan", "doctor", "run_log"]);
	expect(throughPlan(["send_as_new", "ask_again", "change_message", "ask_missing", "ask_more_time"])).toEqual(["open_plan"]);
	expect(throughPlan(["fetch_again", "open_files", "receipts"])).toEqual(["fetch_again", "open_files", "receipts"]);
});
