import type { AuthProfileId, ChannelId, PlanId, ProviderId, ThreadId } from "@xworkmate/contracts";
import { accountWords } from "../../strings/agents/account-words.ts";
import { agentsPageWords } from "../../strings/agents/agents-page-words.ts";
import { count, fill } from "../../strings/interface.ts";
import { channelsWords } from "../../strings/plans/channels-words.ts";
import { channelWords } from "../../strings/plans/plan-words.ts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { removalWords } from "../../strings/threads/removal-words.ts";
import { deletedFolders, deletedParts, keptRuns } from "../../text/files/deletion-words.ts";
import { oneLine } from "../../text/printable.ts";
import { decide } from "../../threads/domain/decide.ts";
import type { Removal } from "./confirm.ts";
import type { Output } from "./output.ts";

// The page shows the same texts before the same removals.

export async function threadRemoval({ api }: Output, threadId: ThreadId): Promise<Removal> {
	const { thread } = await api.showThread({ threadId });
	// Throws if a turn of the thread has not ended, so that the user is not asked about a removal that would be refused.
	decide(thread, { type: "delete", at: thread.updatedAt });
	const { runs = thread.turns.length, folder, atBridge, ...kept } = await api.threadDeletion({ threadId });
	const { queued, draft } = await api.readThread({ threadId });
	const { title, say, waiting } = removalWords;
	const what = deletedParts(runs, folder.files, folder.more);
	return {
		lines: [
			fill(title, { title: oneLine(thread.title) }),
			fill(say, { what }),
			`  ${oneLine(folder.path, 500)}`,
			...deletedFolders(atBridge, (path) => oneLine(path, 500)),
			...keptRuns(kept, (address) => oneLine(address, 500)),
			...(queued.length === 0 ? [] : [fill(waiting, { count: count(queued.length, "unsent message") })]),
			...(draft === undefined ? [] : [removalWords.draft]),
		],
		command: `threads delete ${oneLine(threadId)}`,
	};
}

export async function planRemoval({ api }: Output, planId: PlanId): Promise<Removal> {
	const { removeTitle, removeSay } = plansPageWords.actions;
	const { title } = await api.plan({ planId });
	return { lines: [fill(removeTitle, { title: oneLine(title, 200) }), removeSay], command: `plans delete ${planId}` };
}

export async function agentRemoval({ api }: Output, agentId: ProviderId): Promise<Removal | undefined> {
	const { title, say } = agentsPageWords.removing;
	const found = (await api.agents()).agents.find((agent) => agent.agentId === agentId);
	// For an unknown agent, no confirmation is requested, and the removal is refused as with --yes.
	if (found === undefined) return undefined;
	return { lines: [fill(title, { agent: oneLine(found.name) }), say], command: `agents remove ${agentId}` };
}

export async function accountRemoval({ api }: Output, profileId: AuthProfileId): Promise<Removal | undefined> {
	// An account of the environment can't be removed, so no confirmation is requested, and the removal is refused as with --yes.
	if (profileId.endsWith(":env")) return undefined;
	const { title, key, variable } = accountWords.removing;
	const { profiles } = await api.accounts();
	const name = profiles.find((profile) => profile.profileId === profileId)?.variable;
	const say = name === undefined ? key : fill(variable, { variable: oneLine(name) });
	return { lines: [fill(title, { account: profileId }), say], command: `auth remove ${profileId}` };
}

export function channelRemoval(_output: Output, channel: ChannelId): Removal {
	const name = channelWords[channel];
	const { removeTitle, removeSay, removeSayDiscord } = channelsWords;
	const say = channel === "discord" ? removeSayDiscord : removeSay;
	return { lines: [fill(removeTitle, { channel: name }), fill(say, { channel: name })], command: `channels remove ${channel}` };
}
