// The advice where a file or folder is closed to the user of a command.

/** Ends the message, as its hint. */
export const AS_OWNER =
  'Run the command as the user that runs Prepress, such as with "sudo -u prepress", or give that user the file with "chown".';
