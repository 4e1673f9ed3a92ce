import type { Channel } from "@xworkmate/contracts";
import { fill } from "../../strings/interface.ts";
import { channelWords, unreadyWords } from "../../strings/plans/plan-words.ts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { hrefOf } from "../state/route.ts";
import { visibleName } from "../text/visible-text.ts";

/** Says that a channel is not ready, why, and where to set it up. */
export function UnreadyChannel({ channel: { channel, unavailable } }: { readonly channel: Channel }) {
	const name = channelWords[channel];
	return (
		<p className="note need full">
			{fill(unreadyWords, { channel: name })} {unavailable !== undefined && `${visibleName(unavailable.message)} `}
			<a href={hrefOf({ page: "settings", part: "channels" })}>{fill(plansPageWords.form.setUp, { channel: name })}</a>
		</p>
	);
}
