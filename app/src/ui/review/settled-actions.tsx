import type { DeliveryAction } from "@xworkmate/contracts";
import { isDropped } from "@xworkmate/contracts/is-dropped";
import { useState } from "react";
import { reviewWords as words } from "../../strings/plans/review-words.ts";
import { useChannels, useContacts } from "../plans/use-recipients.ts";
import { ResendDialog, type ResendOptions } from "./resend-dialog.tsx";
import { SettleDialog } from "./settle-dialog.tsx";

interface SettledActionsProps {
	readonly action: DeliveryAction;
	/** True if what is shown may be out of date, so that nothing can be done with it. */
	readonly isOld: boolean;
	settle(outcome: "sent" | "not_sent"): void;
	resend(options: ResendOptions): void;
}

/** What can be done with a message that no longer needs a decision: say whether it arrived, or send it again. */
export function SettledActions({ action, isOld, settle, resend }: SettledActionsProps) {
	const [open, setOpen] = useState<"settle" | "resend">();
	const { value: contacts = [] } = useContacts();
	const { value: channels = [] } = useChannels();
	const { status } = action;
	const close = () => setOpen(undefined);
	if (status === "pending" || status === "sending") return null;
	return (
		<footer className="decide">
			{status === "unknown" && (
				<button type="button" className="btn lg pri" disabled={isOld} onClick={() => setOpen("settle")}>
					{words.settle.ask}
				</button>
			)}
			<button type="button" className="btn lg" disabled={isOld} onClick={() => setOpen("resend")}>
				{(isDropped(action) ? words.resend.afterAll : words.resend).ask}
			</button>
			{isOld && <span className="muted small">{words.notCurrent}</span>}
			<SettleDialog
				action={action}
				isOpen={open === "settle"}
				close={close}
				settle={(outcome) => {
					settle(outcome);
					close();
				}}
			/>
			<ResendDialog
				{...{ action, contacts, channels }}
				isOpen={open === "resend"}
				close={close}
				resend={(options) => {
					resend(options);
					close();
				}}
			/>
		</footer>
	);
}
