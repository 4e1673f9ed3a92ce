import type { Channel } from "@xworkmate/contracts";
import { CircleCheck, CircleDashed, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { fill } from "../../strings/interface.ts";
import { channelsWords as words } from "../../strings/plans/channels-words.ts";
import { channelWords } from "../../strings/plans/plan-words.ts";
import { localTime } from "../../text/local-time.ts";
import { channelState } from "../../text/plans/channel-test.ts";
import { ChannelForm } from "../channels/channel-form.tsx";
import { EmailForm } from "../channels/email-form.tsx";
import { Icon } from "../components/icon.tsx";
import { ReadState } from "../components/read-state.tsx";
import { channelIcons } from "../plans/plan-look.ts";
import { useChannels } from "../plans/use-recipients.ts";
import { InlineCode } from "../rich-text/inline-code.tsx";
import { useClock } from "../state/use-clock.ts";

/** Where plans send their messages: which channels are set up, and what is wrong with them. */
export function ChannelsSettings() {
	const { value, problem, read } = useChannels();
	return (
		<div className="stack-l">
			<p className="lead">{words.lead}</p>
			<ReadState isRead={value !== undefined} {...{ problem, words, read }} />
			{value?.map((channel) => (
				<ChannelSection key={channel.channel} channel={channel} read={read} />
			))}
		</div>
	);
}

function ChannelSection({ channel, read }: { readonly channel: Channel; read(): void }) {
	const { channel: id, unavailable } = channel;
	const isBegun = hasBegun(channel);
	const [isOpen, setOpen] = useState(false);
	// No form is shown if the stored settings cannot be read: it could neither show nor save them.
	const isRead = !/^(?:CHANNELS|CHANNEL_SECRETS)_/.test(unavailable?.code ?? "");
	const isForm = isRead && (id === "whatsapp" || id === "discord");
	return (
		<section className="block" aria-label={channelWords[id]}>
			<h3 className="flex">
				<Icon of={channelIcons[id]} />
				{channelWords[id]}
				<Ready channel={channel} />
			</h3>
			{id === "dashboard" && <p className="muted">{words.inboxSay}</p>}
			{unavailable !== undefined && isBegun && (
				<div className="fixit">
					<Icon of={TriangleAlert} className="no" />
					<div>
						<InlineCode text={unavailable.message} />
						<small>
							<InlineCode text={unavailable.fix} />
						</small>
					</div>
				</div>
			)}
			{id === "email" && isRead && <EmailForm channel={channel} changed={read} />}
			{isForm && !isBegun && !isOpen && (
				<div className="stack2">
					<p className="muted">{words[id].lead}</p>
					<div>
						<button type="button" className="btn" onClick={() => setOpen(true)}>
							{words.openOne[id]}
						</button>
					</div>
				</div>
			)}
			{isForm && (isBegun || isOpen) && <ChannelForm channel={{ ...channel, channel: id }} changed={read} typed={() => setOpen(true)} />}
		</section>
	);
}

/** True if there is something to show about a channel other than that it is not set up: its settings, or what keeps it from being used. */
function hasBegun({ ready, settings, secrets, unavailable }: Channel): boolean {
	if (Object.keys(settings).length > 0 || secrets.length > 0) return true;
	return ready || (unavailable !== undefined && unavailable.code !== "CHANNEL_NOT_SET_UP");
}

function Ready({ channel }: { readonly channel: Channel }) {
	const { tested } = channel;
	const now = useClock();
	const time = tested && localTime(tested.at, now);
	switch (channelState(channel)) {
		case "unready":
			return hasBegun(channel) ? (
				<State tone="miss" icon={TriangleAlert} say={words.trouble} />
			) : (
				<State tone="off" icon={CircleDashed} say={words.notReady} />
			);
		case "untested":
			return <State tone="off" icon={CircleDashed} say={words.complete} />;
		case "unknown":
			return <State tone="miss" icon={TriangleAlert} say={fill(words.testUnknown, { time: time ?? "" })} />;
		case "failed":
			return <State tone="miss" icon={TriangleAlert} say={fill(words.testFailed, { time: time ?? "" })} />;
		case "ready":
			return (
				<>
					<State tone="ok" icon={CircleCheck} say={words.ready} />
					{channel.channel !== "dashboard" && time !== undefined && (
						<span className="muted normal small">{fill(words.testedAt, { time })}</span>
					)}
				</>
			);
	}
}

function State({ tone, icon, say }: { readonly tone: string; readonly icon: typeof CircleCheck; readonly say: string }) {
	return (
		<span className={`st st-${tone}`}>
			<Icon of={icon} />
			{say}
		</span>
	);
}
