import { KeyRound } from "lucide-react";
import { words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { hrefOf } from "../state/route.ts";

/** Leads to the accounts, because the assistant needs one. */
export function AddAccountLink() {
	return (
		<a className="btn" href={hrefOf({ page: "settings", part: "accounts" })}>
			<Icon of={KeyRound} />
			{words.first.addAccount}
		</a>
	);
}
