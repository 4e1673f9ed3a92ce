import { SMTPConnection } from "smtp-server/lib/smtp-connection.js";

/**
 * The library waits 100 ms before it greets, for visitors who talk too soon, and has no option for it. Where connections are counted by the
 * thousand, that wait is all that would be measured.
 */
export function greetAtOnce(): void {
	SMTPConnection.prototype.init = function greet(this: SMTPConnection) {
		this._setListeners(() => this.connectionReady());
	};
}
