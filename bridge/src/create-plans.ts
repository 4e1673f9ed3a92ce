import { ContractError } from "@xworkmate/contracts";
import type { ChannelService, PlanService } from "./ports/plan-service.ts";

export interface Plans extends AsyncDisposable {
	readonly service: PlanService;
	readonly channels: ChannelService;
	/** Takes up what an earlier bridge left, then lets times come due and messages leave. */
	begin(): Promise<void>;
}

export function createPlans(): Plans {
	const absent = () => Promise.reject(new ContractError("NOT_FOUND"));
	return {
		service: {
			create: absent,
			update: absent,
			get: absent,
			list: absent,
			occurrences: absent,
			updates: absent,
			schedule: absent,
			run: absent,
			pause: absent,
			resume: absent,
			delete: absent,
			cancel: absent,
			preview: absent,
			review: absent,
			settle: absent,
			resend: absent,
			page: absent,
			feed: { read: async () => [], last: async () => 0, onChanged: () => () => undefined },
		},
		channels: {
			"channels.list": absent,
			"channels.configure": absent,
			"channels.remove": absent,
			"channels.test": absent,
			"contacts.list": absent,
			"contacts.put": absent,
			"contacts.remove": absent,
			"inbox.list": absent,
			"inbox.mark": absent,
		},
		begin: async () => undefined,
		[Symbol.asyncDispose]: async () => undefined,
	};
}
