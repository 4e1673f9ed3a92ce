import { AlertDialog } from "@base-ui/react/alert-dialog";
import type { AuthProfile } from "@xworkmate/contracts";
import { useState } from "react";
import { accountWords } from "../../strings/account-words.ts";
import { fill } from "../../strings/interface.ts";
import { visibleName } from "../text/visible-text.ts";

const words = accountWords.removing;

interface RemoveAccountProps {
	/** Absent: nothing is asked. */
	readonly profile: AuthProfile | undefined;
	remove(profile: AuthProfile): Promise<void>;
	close(): void;
}

/** The question before an account is removed. */
export function RemoveAccount({ profile, remove, close }: RemoveAccountProps) {
	const [isBusy, setBusy] = useState(false);
	return (
		<AlertDialog.Root open={profile !== undefined} onOpenChange={(isOpen) => !isOpen && close()}>
			<AlertDialog.Portal container={document.querySelector<HTMLElement>(".frame")}>
				<AlertDialog.Backdrop className="scrim" />
				<AlertDialog.Popup className="dialog">
					{profile !== undefined && (
						<div className="dialog-form">
							<AlertDialog.Title className="dialog-title">
								{fill(words.title, { account: visibleName(profile.profileId) })}
							</AlertDialog.Title>
							<AlertDialog.Description className="soft">
								{profile.variable === undefined ? words.key : fill(words.variable, { variable: visibleName(profile.variable) })}
							</AlertDialog.Description>
							<div className="flex end">
								<AlertDialog.Close className="btn lg">{words.cancel}</AlertDialog.Close>
								<button
									type="button"
									className="btn lg danger"
									disabled={isBusy}
									onClick={() => {
										setBusy(true);
										void remove(profile).finally(() => {
											setBusy(false);
											close();
										});
									}}
								>
									{accountWords.remove}
								</button>
							</div>
						</div>
					)}
				</AlertDialog.Popup>
			</AlertDialog.Portal>
		</AlertDialog.Root>
	);
}
