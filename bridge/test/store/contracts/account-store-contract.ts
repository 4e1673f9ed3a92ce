import { AuthProfileId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { AccountState } from "../../../src/ports/models/account-store.ts";
import { time } from "./run-fixture.ts";
import type { OpenStore } from "./store-under-test.ts";

export function accountStoreContract(name: string, open: OpenStore): void {
	describe(`${name}: accounts`, () => {
		it("keeps the newest state of an account for each model across a restart, until the account is gone", async () => {
			await using store = await open();
			const profileId = AuthProfileId.parse("anthropic:work");
			const whole: AccountState = { profileId, model: "", failures: 0, lastUsedAt: time(1) };
			const limited: AccountState = { profileId, model: "claude-test", failures: 2, until: time(9), reason: "rate_limited" };
			const other: AccountState = { profileId: AuthProfileId.parse("anthropic:home"), model: "", failures: 1 };
			for (const state of [whole, limited, other]) await store.ports.accounts.save(state);
			await store.ports.accounts.save({ ...whole, failures: 1 });
			const { accounts } = await store.reopen();
			const states = await accounts.states();
			expect(states).toHaveLength(3);
			expect(states).toEqual(expect.arrayContaining([{ ...whole, failures: 1 }, limited, other]));
			await accounts.forget(profileId);
			expect(await accounts.states()).toEqual([other]);
		});
	});
}
