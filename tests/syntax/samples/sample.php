<?php
// Sends mail.
namespace Acme\Mail;

use Acme\Core\Container;
use Psr\Log\{LoggerInterface, NullLogger as Quiet};
require_once __DIR__ . '/boot.php';

const LIMIT = 10;
define('MAX_TRIES', 3);

/**
 * A mailer.
 */
#[Service]
final class Mailer extends Base implements Sends
{
    use Macroable;

    const QUEUE = 'mail';
    private ?LoggerInterface $logger = null;

    public function __construct(private Container $container)
    {
    }

    #[Route('/send')]
    public static function send(string $to): bool
    {
        $local = function () { return 1; };
        return true;
    }
}

interface Sends
{
    public function deliver(): void;
}

trait Loud
{
    protected function shout() {}
}

enum Status: string
{
    case Open = 'open';

    public function label(): string { return 'x'; }
}

function helper(array $items)
{
    return $items;
}
