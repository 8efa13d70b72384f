// Serves carts.
using System;
using System.Collections.Generic;
using Json = Newtonsoft.Json;

namespace Acme.Shop
{
    /// <summary>A cart.</summary>
    [ApiController]
    [Route("api/[controller]")]
    public class CartController : ControllerBase, IHandler
    {
        private readonly ICartService _service;
        public const int Limit = 10;

        public CartController(ICartService service)
        {
            _service = service;
        }

        public int Count { get; set; }
        public event EventHandler Changed;

        [HttpGet("{id}")]
        public async Task<Cart> Get(int id)
        {
            int Local(int x) => x;
            return await _service.Find(id);
        }

        public int this[int index] => index;
        public static CartController operator +(CartController a, CartController b) => a;
    }

    public interface IHandler
    {
        void Handle(string text);
    }

    public struct Point
    {
        public int X;
    }

    public enum State { Open, Closed }

    public record Person(string Name, int Age);

    public delegate void Done(int code);
}
