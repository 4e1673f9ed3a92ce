import type { ChannelId } from "@xworkmate/contracts";
import { useState } from "react";
import { fill } from "../../strings/interface.ts";
import { channelsWords as words } from "../../strings/plans/channels-words.ts";
import { channelWords } from "../../strings/plans/plan-words.ts";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { callApp } from "../connection/call-app.ts";
import { attempt } from "../state/thread-actions.ts";

/** Removes a channel's settings, after asking for confirmation. */
export function RemoveChannel({ channel, removed }: { readonly channel: ChannelId; removed(): void }) {
	const [isAsked, setAsked] = useState(false);
	const name = channelWords[channel];
	return (
		<>
			<button type="button" className="btn lg quiet" onClick={() => setAsked(true)}>
				{fill(words.remove, { channel: name })}
			</button>
			<ConfirmDialog
				isOpen={isAsked}
				title={fill(words.removeTitle, { channel: name })}
				say={fill(channel === "discord" ? words.removeSayDiscord : words.removeSay, { channel: name })}
				cancel={words.keep}
				word={fill(words.removeNow, { channel: name })}
				isDanger
				confirm={() => attempt(() => callApp("removeChannel", { channel })).then((isDone) => isDone && removed())}
				close={() => setAsked(false)}
			/>
		</>
	);
}
