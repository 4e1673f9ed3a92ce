import type { Channel } from "@xworkmate/contracts";
import { CircleCheck, CircleDashed, TriangleAlert } from "lucide-react";
import { channelWords } from "../../strings/plan-words.ts";
import { channelsWords as words } from "../../strings/review-words.ts";
import { EmailForm } from "../channels/email-form.tsx";
import { Icon } from "../components/icon.tsx";
import { ReadState } from "../components/read-state.tsx";
import { callApp } from "../connection/call-app.ts";
import { channelIcons } from "../plans/plan-look.ts";
import { usePlanRead } from "../plans/use-plans.ts";

const askChannels = () => callApp("channels", {}).then(({ channels }) => channels);

/** Where plans send their messages: what is set up, and what is wrong with it. */
export function ChannelsSettings() {
	const { value, problem, read } = usePlanRead<readonly Channel[]>(askChannels);
	return (
		<div className="stack-l">
			<p className="lead">{words.lead}</p>
			<ReadState isRead={value !== undefined} {...{ problem, words, read }} />
			{value?.map((channel) => (
				<section key={channel.channel} className="block" aria-label={channelWords[channel.channel]}>
					<h3 className="flex">
						<Icon of={channelIcons[channel.channel]} />
						{channelWords[channel.channel]}
						<Ready channel={channel} />
					</h3>
					{channel.channel === "dashboard" && <p className="muted">{words.inboxSay}</p>}
					{channel.unavailable !== undefined && Object.keys(channel.settings).length > 0 && (
						<div className="fixit">
							<Icon of={TriangleAlert} className="no" />
							<div>
								{channel.unavailable.message}
								<small>{channel.unavailable.fix}</small>
							</div>
						</div>
					)}
					{channel.channel === "email" && <EmailForm channel={channel} changed={read} />}
				</section>
			))}
		</div>
	);
}

function Ready({ channel: { ready, settings } }: { readonly channel: Channel }) {
	if (ready)
		return (
			<span className="st st-ok">
				<Icon of={CircleCheck} />
				{words.ready}
			</span>
		);
	const isBegun = Object.keys(settings).length > 0;
	return (
		<span className={`st ${isBegun ? "st-miss" : "st-off"}`}>
			<Icon of={isBegun ? TriangleAlert : CircleDashed} />
			{isBegun ? words.trouble : words.notReady}
		</span>
	);
}
